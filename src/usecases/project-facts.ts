/** What the files of a root say about how it is tested, for the adapters of languages; each thing is looked at once. */
import type { ProjectFacts } from '../engine/languages/language.ts';
import type { Host } from '../io/host.ts';

/** Facts of one root, given by its real path, as they are when first asked for; a call makes its own. */
export function projectFacts(host: Host, root: string): ProjectFacts {
  return {
    read: once((path) => host.readProjectFile(root, path)),
    list: once((folder) => host.listProjectFolder(root, folder)),
    hasProgram: once((name) => host.findProgram(name, root, false).ok),
  };
}

function once<Value>(look: (name: string) => Value): (name: string) => Value {
  const seen = new Map<string, { readonly value: Value }>();
  return (name) => {
    const found = seen.get(name) ?? { value: look(name) };
    seen.set(name, found);
    return found.value;
  };
}
