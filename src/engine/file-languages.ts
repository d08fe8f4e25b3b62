/** Which language a file is written in, by its name alone; for an overview, never for a verdict. */

const BY_EXTENSION: Readonly<Record<string, readonly string[]>> = {
  C: ['c', 'h'],
  'C#': ['cs'],
  'C++': ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  CSS: ['css', 'less', 'scss'],
  Clojure: ['clj', 'cljc', 'cljs'],
  Dart: ['dart'],
  Elixir: ['ex', 'exs'],
  Erlang: ['erl', 'hrl'],
  Go: ['go'],
  HTML: ['htm', 'html'],
  Haskell: ['hs'],
  JSON: ['json', 'jsonc'],
  Java: ['java'],
  JavaScript: ['cjs', 'js', 'jsx', 'mjs'],
  Kotlin: ['kt', 'kts'],
  Lua: ['lua'],
  Markdown: ['markdown', 'md', 'mdx'],
  OCaml: ['ml', 'mli'],
  PHP: ['php'],
  Perl: ['pl', 'pm'],
  Python: ['py', 'pyi', 'pyw'],
  R: ['r'],
  Ruby: ['rb'],
  Rust: ['rs'],
  SQL: ['sql'],
  Scala: ['sbt', 'scala'],
  Shell: ['bash', 'sh', 'zsh'],
  Svelte: ['svelte'],
  Swift: ['swift'],
  TOML: ['toml'],
  TypeScript: ['cts', 'mts', 'ts', 'tsx'],
  Vue: ['vue'],
  XML: ['xml'],
  YAML: ['yaml', 'yml'],
  Zig: ['zig'],
};

const LANGUAGE_OF = new Map(
  Object.entries(BY_EXTENSION).flatMap(([language, extensions]) =>
    extensions.map((extension): [string, string] => [extension, language]),
  ),
);

/** What a file of none of these languages counts as. */
const OTHER = 'other';

/** Counts the files of each language, most first; what is in none of them comes last. */
export function countLanguages(
  paths: readonly string[],
): readonly { readonly language: string; readonly files: number }[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = LANGUAGE_OF.get(extensionOf(path)) ?? OTHER;
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, files]) => ({ language, files }))
    .sort(
      (one, other) => rank(one) - rank(other) || other.files - one.files || (one.language < other.language ? -1 : 1),
    );
}

function rank({ language }: { readonly language: string }): number {
  return language === OTHER ? 1 : 0;
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
