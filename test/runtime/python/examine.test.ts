import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Examination, SourceAnalysis } from '../../../src/model/examination.ts';
import { temporaryFolder } from '../../support/git-repo.ts';
import { examinePython, writeTexts, type Texts } from '../../support/python-project.ts';

const PYTHON = 'python3';

let beside: string;
let root: string;
let dispose: () => void;

beforeEach(() => {
  ({ path: beside, dispose } = temporaryFolder());
  root = join(beside, 'root');
  mkdirSync(root);
});
afterEach(() => {
  dispose();
});

/** Examines a change of a project that holds `others` as well. */
function examine(before: Texts, after: Texts, others: Texts = {}, searchFolders: readonly string[] = []): Examination {
  writeTexts(root, { ...others, ...after });
  return examinePython(PYTHON, root, { before, after }, searchFolders);
}

function analysis(text: string | Uint8Array, path = 'a.py'): SourceAnalysis {
  const [file] = examine({}, { [path]: text }).files;
  if (file === undefined) throw new Error('Nothing was examined.');
  return file.after;
}

function keys(text: string): readonly string[] {
  return analysis(text).tokens.map(({ key }) => key);
}

function newImports(examination: Examination): readonly string[] {
  const known = new Set(examination.imports.before.map(({ key }) => key));
  return examination.imports.after
    .filter(({ key }) => !known.has(key))
    .map(({ file, line, message }) => `${file}:${line} ${message}`);
}

describe('syntax', () => {
  it.each([
    ['x = (1\n', "1 '(' was never closed."],
    ['x = 1\nreturn x\n', "2 'return' outside function."],
    ['x = 1\n  y = 2\n', '2 Unexpected indent.'],
    ['def f(a, a): pass\n', "1 Duplicate argument 'a' in function definition."],
    ['# coding: nonsense\n', '1 Unknown encoding: nonsense.'],
  ])('of %j is wrong', (text, message) => {
    const { syntax, tokens, statements } = analysis(text);
    expect({ messages: syntax.map(({ line, message }) => `${line} ${message}`), tokens, statements }).toEqual({
      messages: [message],
      tokens: [],
      statements: [],
    });
  });

  it('of bytes that are not in the stated encoding is wrong', () => {
    const { syntax } = analysis(Buffer.from([0x78, 0x3d, 0x22, 0xff, 0x22, 0x0a]));
    expect(syntax.map(({ line }) => line)).toEqual([1]);
  });

  it('warns of nothing on its own output', () => {
    expect(analysis('x = "\\d"\nassert (x, 1)\n').syntax).toEqual([]);
  });
});

describe('places', () => {
  it('count UTF-16 code units, a byte order mark and both bytes of a CRLF', () => {
    const text = '\uFEFFname = "😀é"; other = 1\r\nlast = 2\r\n';
    const shown = analysis(text).statements.map(({ start, end, line }) => [text.slice(start, end), line]);
    expect(shown).toEqual([
      ['name = "😀é"', 1],
      ['other = 1', 1],
      ['last = 2', 2],
    ]);
    expect(analysis(text).tokens.map(({ start, end }) => text.slice(start, end))).toEqual([
      'name',
      '=',
      '"😀é"',
      ';',
      'other',
      '=',
      '1',
      'last',
      '=',
      '2',
    ]);
  });

  it('of a decorated definition begin with its decorator', () => {
    const text = '@ (wrap)\n@other\ndef f(): pass\n';
    expect(analysis(text).statements.map(({ start, headerEnd }) => text.slice(start, headerEnd))).toEqual([
      '@ (wrap)\n@other\ndef f():',
      'pass',
    ]);
  });

  it('have no probes where another reader would see another text', () => {
    const { statements, loadProbe } = analysis(Buffer.from('# coding: latin-1\nx = "\xe9"\n', 'latin1'));
    expect({ probes: statements.map(({ probe }) => probe), loadProbe }).toEqual({ probes: [null], loadProbe: null });
  });
});

describe('tokens', () => {
  it('leave out comments, blank lines and the width of an indent', () => {
    expect(keys('if x:  # why\n\n  y = (1,\n    2)\n')).toEqual(keys('if x:\n        y = (1, 2)\n'));
  });

  it('differ when a statement moves into a block', () => {
    expect(keys('if x:\n    y\nz\n')).toEqual(['0>if', 'x', ':', '1>y', '0>z']);
    expect(keys('if x:\n    y\n    z\n')).toEqual(['0>if', 'x', ':', '1>y', '1>z']);
  });

  it('differ where a declaration makes a name another variable, and nowhere else', () => {
    const text = (declared: string): string =>
      [
        'def f(flag):',
        `    ${declared}`,
        '    if flag:',
        '        count = o.count',
        '    return f"{count} {flag}"',
        '',
      ].join('\n');
    const [plain, declared] = ['global other', 'global count'].map((line) => keys(text(line)));
    expect(declared?.filter((key, at) => key !== plain?.[at])).toEqual([
      'count (global)',
      '2>count (global)',
      'f"{count} {flag}" (global)',
    ]);
  });

  it('differ between two statements and one call', () => {
    expect(keys('f\n(x)\n')).not.toEqual(keys('f(x)\n'));
  });
});

describe('statements', () => {
  it('say when they run, and what never runs', () => {
    const text = [
      '"""Text."""',
      'from typing import TYPE_CHECKING, overload',
      'if TYPE_CHECKING:',
      '    import os',
      '@overload',
      'def f(x: int): ...',
      'def f(x):',
      '    global y',
      '    class Inner:',
      '        z = 1',
      '',
    ].join('\n');
    const shown = analysis(text).statements.map(({ kind, timing, isInert }) => `${kind} ${timing} ${String(isInert)}`);
    expect(shown).toEqual([
      'docstring definition false',
      'import definition false',
      'if definition false',
      'import definition true',
      'function definition false',
      'expression body true',
      'function definition false',
      'global body false',
      'class body false',
      'assignment body false',
    ]);
  });

  it('of a stub file never run', () => {
    const { statements, arms } = analysis('def f(x: int = ...) -> int: ...\nX: int\n', 'a.pyi');
    expect({ running: statements.filter(({ isInert }) => !isInert), arms }).toEqual({ running: [], arms: [] });
  });

  it('are left out by their author, with all that is inside', () => {
    const text = 'def f():  # pragma: no cover\n    return 1\nif x:\n    y = 1\nelse:  # pragma: no cover\n    y = 2\n';
    expect(analysis(text).statements.map(({ line, isExcluded }) => [line, isExcluded])).toEqual([
      [1, true],
      [2, true],
      [3, false],
      [4, false],
      [6, true],
    ]);
  });

  it('have the same structure before as after', () => {
    const text = 'def f(x):\n    return 1 if x else 2\n';
    const [file] = examine({ 'a.py': text }, { 'a.py': text }).files;
    expect(file?.before).toEqual(file?.after);
  });
});

describe('imports', () => {
  it('are broken by a name that is gone, in every file that takes it', () => {
    const before = { 'app/calc.py': 'def add(): pass\ndef mul(): pass\n' };
    const after = { 'app/calc.py': 'def add(): pass\ndef times(): pass\n' };
    const others = {
      'app/__init__.py': '',
      'app/a.py': 'from app.calc import add, mul\n',
      'app/b.py': 'from . import calc\ncalc.add()\ncalc.mul()\n',
      'app/c.py': 'import app.calc\napp.calc.mul()\n',
      'app/d.py': 'from .calc import mul as product\n',
      'app/e.py': 'try:\n    from app.calc import mul\nexcept ImportError:\n    mul = None\n',
      'app/f.py': 'from app import calc\nif hasattr(calc, "mul"):\n    calc.mul()\n',
      'app/g.py': 'def f(calc):\n    return calc.mul()\n',
    };
    expect(newImports(examine(before, after, others))).toEqual([
      "app/a.py:1 'app.calc' has no name 'mul'.",
      "app/b.py:3 'calc' has no name 'mul'.",
      "app/c.py:2 'app.calc' has no name 'mul'.",
      "app/d.py:1 '.calc' has no name 'mul'.",
    ]);
  });

  it('of a name that is gone are found in a branch, and beside a parameter of the same name as the module', () => {
    const others = {
      'a.py': 'import b\ndef f(wide):\n    if wide:\n        return b.x\ndef g(b):\n    return b.x\n',
      'c.py': 'def f(wide, thing):\n    thing.x = 1\n    if wide:\n        from b import x\n',
      'd.py': 'import b, sys\ndef f():\n    if sys.version_info > (3, 99):\n        return b.x\n',
      'e.py': 'import b\nif "x" in dir(b):\n    b.x\n',
    };
    expect(newImports(examine({ 'b.py': 'x = 1\n' }, { 'b.py': 'x = 1\ndel x\n' }, others))).toEqual([
      "a.py:4 'b' has no name 'x'.",
      "c.py:4 'b' has no name 'x'.",
    ]);
  });

  it('of every name are followed through lists and other modules, and name what nothing gives any more', () => {
    const others = {
      'pkg/__init__.py': 'from .b import *\n',
      'a.py': 'from pkg import *\nfrom os.path import *\ndef f(): return hidden(exists("."))\n',
      'c.py': 'from pkg import *\ndef hidden(): pass\nhidden()\n',
      'd.py': 'from pkg import *\nfrom d2 import *\nhidden()\n',
      'd2.py': 'hidden = 1\n',
      'e.py': 'import pkg as p\np.hidden()\np.shown()\n',
      'f.py': 'from pkg import *\ndef f(hidden): return [hidden for shown in hidden], lambda hidden: hidden\n',
      'g.py': 'from pkg import *\ntry:\n    hidden\nexcept NameError:\n    pass\n',
    };
    const names = 'def shown(): pass\ndef hidden(): pass\n';
    expect(newImports(examine({ 'pkg/b.py': names }, { 'pkg/b.py': `__all__ = ["shown"]\n${names}` }, others))).toEqual(
      [
        "a.py:3 No `import *` of this file gives the name 'hidden', and nothing else does.",
        "e.py:2 'p' has no name 'hidden'.",
      ],
    );
  });

  it('of every name are broken by a listed name that is not there', () => {
    const text = '__all__ = ["x", "inner"]\n__all__ += ("y",)\n__all__.append("z")\nx = y = z = 1\n';
    const after = { 'pkg/__init__.py': text.replace('x = y', 'y') };
    const examination = examine({ 'pkg/__init__.py': text }, after, { 'pkg/inner.py': '' });
    expect(newImports(examination)).toEqual(["pkg/__init__.py:1 `__all__` lists 'x', and there is no such name here."]);
  });

  it('of every name are not followed where a list is made at run time', () => {
    const { imports, undecided } = examine(
      { 'b.py': 'x = 1\n' },
      { 'b.py': 'y = 1\n__all__ = [name for name in dir()]\n' },
      { 'a.py': 'from b import *\nprint(x)\n' },
    );
    expect({ imports, undecided }).toEqual({
      imports: { before: [], after: [] },
      undecided: [
        'b.py makes names at run time, so what it no longer defines cannot be told.',
        'a.py imports every name of a changed module, so its uses of them are not followed.',
      ],
    });
  });

  it('of a module that is nowhere do not resolve', () => {
    const after = {
      'a.py': 'import no_such_module_anywhere\nimport json, os.path\nfrom b import x, y\nfrom . import c\n',
    };
    const examination = examine({ 'a.py': '' }, after, { 'b.py': 'x = 1\n' });
    expect(newImports(examination)).toEqual([
      "a.py:1 No module 'no_such_module_anywhere' is found.",
      "a.py:3 'b' has no name 'y'.",
      "a.py:4 '.' has no name 'c'.",
    ]);
  });

  it('that were broken before are not the fault of the change', () => {
    const text = 'import no_such_module_anywhere\n';
    expect(newImports(examine({ 'a.py': text }, { 'a.py': `${text}x = 1\n` }))).toEqual([]);
  });

  it('of a package that the project requires and that is not installed are undecided', () => {
    const { undecided, ...rest } = examine(
      { 'a.py': '' },
      { 'a.py': 'import no_such_package\n' },
      { 'requirements.txt': 'no-such-package>=1\n' },
    );
    expect({ found: newImports({ undecided, ...rest }), undecided }).toEqual({
      found: [],
      undecided: ["a.py:1 imports 'no_such_package', which the project requires and is not installed."],
    });
  });

  it('that the source provides for block nothing', () => {
    const text = [
      'from typing import TYPE_CHECKING',
      'try:\n    import no_such_a\nexcept (ImportError, OSError):\n    import no_such_b',
      'if TYPE_CHECKING:\n    import no_such_c',
      'import contextlib\nwith contextlib.suppress(ImportError):\n    import no_such_d',
      'def f():\n    import no_such_e',
      '',
    ].join('\n');
    expect(newImports(examine({ 'a.py': '' }, { 'a.py': text }))).toEqual([]);
  });

  it('are found where the project looks for them', () => {
    const others = {
      'src/inside/__init__.py': '',
      'lib/given.py': '',
      'tools/configured.py': '',
      'tests/neighbour.py': '',
      'space/portion/module.py': '',
      'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["tools"]\n',
      '.venv/pyvenv.cfg': '',
      '.venv/lib/python3.11/site-packages/installed_there.py': '',
    };
    const text = 'import inside, given, configured, neighbour, installed_there\nimport space.portion.module\n';
    const examination = examine({}, { 'tests/test_a.py': text }, others, [join(root, 'lib')]);
    expect({ found: newImports(examination), undecided: examination.undecided }).toEqual({ found: [], undecided: [] });
  });

  it('from modules that make names at run time are not judged', () => {
    const others = {
      'lazy.py': 'def __getattr__(name): return 1\n',
      'made.py': 'globals().update(x=1)\n',
      'star.py': 'from lazy import *\n',
      'replaced.py': 'import sys\nsys.modules[__name__] = object()\n',
    };
    const text = 'from lazy import a\nfrom made import b\nfrom star import c\nfrom replaced import d\n';
    expect(newImports(examine({ 'a.py': '' }, { 'a.py': text }, others))).toEqual([]);
  });

  it('of a file that the change creates resolve only after it', () => {
    const examination = examine(
      { 'a.py': 'from pkg import extra\n' },
      { 'a.py': 'from pkg import extra\n', 'pkg/extra.py': 'x = 1\n' },
      { 'pkg/__init__.py': '' },
    );
    expect(examination.imports).toEqual({
      before: [{ file: 'a.py', line: 1, message: "'pkg' has no name 'extra'.", key: 'a.py pkg extra' }],
      after: [],
    });
  });
});

describe('the examiner', () => {
  it('runs nothing of the project, and writes nothing', () => {
    const trap = `open(${JSON.stringify(join(beside, 'trapped'))}, "w")\n`;
    const others = {
      'pkg/__init__.py': trap,
      'pkg/calc.py': trap,
      'sitecustomize.py': trap,
      'ast.py': trap,
      'json.py': trap,
    };
    examine({ 'a.py': '' }, { 'a.py': `${trap}from pkg.calc import open\nimport pkg.calc as c\nc.x\n` }, others);
    expect(readdirSync(beside).sort()).toEqual(['request.json', 'root']);
    expect(readdirSync(root).sort()).toEqual(['a.py', 'ast.py', 'json.py', 'pkg', 'sitecustomize.py']);
  });

  it('of a TOML file says only what is wrong with it', () => {
    const { files, undecided } = examine({ 'a.toml': 'x = 1\n' }, { 'a.toml': 'x = 1\ny = \n' });
    const nothing = { tokens: [], statements: [], arms: [], loadProbe: null };
    const finding = {
      file: 'a.toml',
      line: 2,
      message: 'Invalid value.',
      key: expect.any(String) as string,
    };
    expect([files, undecided]).toEqual([
      [{ path: 'a.toml', before: { syntax: [], ...nothing }, after: { syntax: [finding], ...nothing } }],
      [],
    ]);
  });

  it('answers about a file that is nested too deeply', () => {
    const { syntax } = analysis(`x = ${'('.repeat(5000)}1${')'.repeat(5000)}\n`);
    expect(syntax).toHaveLength(1);
  });
});
