/** How new what is known of a root is, in the field names of the wire: what was touched, and what was verified since. */

/** `degraded`: something may have been missed; `failed`: nothing is noticed by itself. */
export const WATCHER_STATES = ['off', 'starting', 'watching', 'degraded', 'failed'] as const;

export type WatcherState = (typeof WATCHER_STATES)[number];

/** What the verification of what is on disk is doing; `never`: none has ended well yet. */
export const VERIFICATION_STATES = ['never', 'running', 'idle', 'failed'] as const;

export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** An attempt to verify that ended without a result. */
export interface FailedAttempt {
  /** The revision that it was about. */
  readonly revision: number;
  readonly code: string;
  readonly message: string;
}

export const MOST_DIRTY_SHOWN = 50;

export interface Freshness {
  readonly epoch: string;
  /** The floor that the call asked for; null where it named none. */
  readonly requested_revision: number | null;
  readonly observed_revision: number;
  /** The newest revision that a result is about; null where there is none. */
  readonly verified_revision: number | null;
  /** True only when a result is about the floor or something newer. */
  readonly satisfied: boolean;
  /** True when something was touched since the newest result. */
  readonly is_stale: boolean;
  readonly state: VerificationState;
  readonly dirty_path_count: number;
  /** At most 50 of them. */
  readonly dirty_paths: readonly string[];
  /** Kept until a verification ends with a result. */
  readonly last_error: FailedAttempt | null;
  readonly watcher: WatcherState;
  /** What to do about a watcher that is not watching. */
  readonly watcher_note: string | null;
  /** When the tree was last looked at whole, ISO 8601; null where it never was. */
  readonly captured_at: string | null;
}
