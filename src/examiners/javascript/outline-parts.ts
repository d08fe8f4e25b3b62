/** The parts that an outline lists, before their places are turned into lines. */
import type { Insertion, Timing } from '../../model/examination.ts';
import type { SyntaxNode } from './syntax-tree.ts';

export interface OutlineStatement {
  readonly node: SyntaxNode;
  readonly kind: string;
  readonly timing: Timing;
  readonly isInert: boolean;
  readonly probe: readonly Insertion[] | null;
}

export interface OutlineArm {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly timing: Timing;
  /** The statement that holds it. */
  readonly owner: SyntaxNode | null;
  /** Any change in here introduces the arm; nested statements are taken out later. */
  readonly introducedBy: readonly (readonly [start: number, end: number])[];
  readonly probe: readonly Insertion[] | null;
}

/** A way through a node, before it is known where the node stands. */
export type Way = Omit<OutlineArm, 'timing' | 'owner'>;

export interface Outline {
  readonly statements: readonly OutlineStatement[];
  readonly arms: readonly OutlineArm[];
  /** Where the first statement starts that is no directive. */
  readonly firstStatement: number | null;
}
