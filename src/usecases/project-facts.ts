/** What the files of a root say about how it is tested, for the adapters of languages; each thing is looked at once. */
import { dirname } from 'node:path';
import type { ProjectFacts } from '../engine/languages/language.ts';
import type { Host } from '../io/host.ts';

/** Facts of one root, given by its real path, as they are when first asked for; a call makes its own. */
export function projectFacts(host: Host, root: string): ProjectFacts {
  return {
    read: once((path) => host.readProjectFile(root, path)),
    list: once((folder) => host.listProjectFolder(root, folder)),
    hasProgram: once((name) => host.findProgram(name, root, false).ok),
    hasPackageProgram: once((name) => {
      const own = `node_modules/.bin/${name}`;
      return (
        foldersUpFrom(root).some((folder) => host.findProgram(own, folder, false).ok) || isBesideNpx(host, root, name)
      );
    }),
  };
}

/** A workspace keeps its packages above the folders that use them. */
function foldersUpFrom(root: string): readonly string[] {
  const above = dirname(root);
  return above === root ? [root] : [root, ...foldersUpFrom(above)];
}

/** Where npm puts what is installed for the whole machine; other folders of PATH are none of its places. */
function isBesideNpx(host: Host, root: string, name: string): boolean {
  const [npx, found] = [host.findProgram('npx', root, false), host.findProgram(name, root, false)];
  return npx.ok && found.ok && dirname(npx.value.path) === dirname(found.value.path);
}

function once<Value>(look: (name: string) => Value): (name: string) => Value {
  const seen = new Map<string, { readonly value: Value }>();
  return (name) => {
    const found = seen.get(name) ?? { value: look(name) };
    seen.set(name, found);
    return found.value;
  };
}
