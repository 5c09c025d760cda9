/** How the packages of a Python project are read from its files and installed. */
import { requirementGrammar } from '../../source/source.ts'

/** Matches a non-empty array: dependencies, a group of them, or build requirements. */
export const hasProjectDependencies = (text: string): boolean =>
  /^\[(?:project|dependency-groups)/m.test(text) &&
  /^[\w-]+\s*=\s*\[\s*["']\w[^"']*["']/m.test(text)

/** Keeps the lines that are requirements. pip gets nothing else: neither an address nor an option. */
const isRequirement = `import re; is_requirement = re.compile(r"${requirementGrammar}", re.I | re.A).fullmatch`

/** Prints the requirements of a pyproject.toml, one per line. */
export const readProject = [
  isRequirement,
  'import tomllib',
  'text = tomllib.load(open("pyproject.toml", "rb"))',
  'project = text.get("project", {})',
  'groups = [project.get("dependencies", [])]',
  'groups += project.get("optional-dependencies", {}).values()',
  'groups += text.get("dependency-groups", {}).values()',
  'poetry = text.get("tool", {}).get("poetry", {})',
  'tables = [poetry] + list(poetry.get("group", {}).values())',
  'tables = [table.get(key, {}) for table in tables for key in ("dependencies", "dev-dependencies")]',
  'version = lambda of: of if isinstance(of, str) else of.get("version", "*") if isinstance(of, dict) else "*"',
  'range = lambda of: "" if of == "*" else ">=" + of[1:] if of[:1] in ("^", "~") else of if of[:1] in ("<", ">", "=", "!") else "==" + of',
  'groups += [[name + range(version(of)) for name, of in table.items() if name != "python"] for table in tables]',
  'print("\\n".join(name.strip() for group in groups for name in group if isinstance(name, str) and is_requirement(name.strip())))',
].join('; ')

/** Reads a file of settings; one that is damaged has none. */
const settings = [
  'import configparser',
  'def settings(path):',
  '    config = configparser.ConfigParser(interpolation=None, strict=False)',
  '    try: config.read(path, encoding="utf-8")',
  '    except (configparser.Error, UnicodeDecodeError): config.clear()',
  '    return config',
]

/** Prints the requirements of the texts in `found`, one per line. */
const printFound = [
  'lines = [line.strip() for text in found for line in text.splitlines()]',
  'print("\\n".join(line for line in lines if is_requirement(line)))',
]

/**
 * Prints what tox installs for the tests, one requirement per line. It leaves out other lines, such as addresses and
 * those for one environment.
 */
export const readTox = [
  isRequirement,
  ...settings,
  'found = [settings("tox.ini").get("testenv", "deps", fallback="")]',
  ...printFound,
].join('\n')

/**
 * Prints the requirements of a setup.cfg and a setup.py, one per line. It reads the lists that setup.py writes down, and
 * never runs it: code of a change must not run with the network. It leaves out what
 * is no requirement, such as addresses, and what it cannot read: composed texts, references to files, a damaged file.
 */
export const readSetup = [
  isRequirement,
  ...settings,
  'import ast, os',
  'wanted = ("install_requires", "tests_require", "extras_require")',
  'config = settings("setup.cfg")',
  'found = [config.get("options", name, fallback="") for name in wanted]',
  'if config.has_section("options.extras_require"):',
  '    found += [text for _, text in config.items("options.extras_require")]',
  'source = open("setup.py", "rb").read() if os.path.exists("setup.py") else b""',
  // Of Python 2, perhaps.
  'try: nodes = list(ast.walk(ast.parse(source)))',
  'except (SyntaxError, ValueError, RecursionError, MemoryError): nodes = []',
  'names = {to.id: node.value for node in nodes if isinstance(node, ast.Assign) for to in node.targets if isinstance(to, ast.Name)}',
  'def texts(node, depth=0):',
  '    if isinstance(node, ast.Name): node = names.get(node.id)',
  '    if isinstance(node, ast.Constant): return [node.value] if isinstance(node.value, str) else []',
  '    sides = [getattr(node, side, None) for side in ("left", "right")]',
  '    joined = isinstance(node, ast.JoinedStr) or any(isinstance(side, (ast.Constant, ast.JoinedStr)) for side in sides)',
  '    inner = getattr(node, "elts", None) or getattr(node, "values", None) or sides',
  '    return [text for one in inner for text in texts(one, depth + 1)] if node and not joined and depth < 4 else []',
  'for node in nodes:',
  '    if isinstance(node, ast.keyword) and node.arg in wanted: found += texts(node.value)',
  ...printFound,
].join('\n')

/** The real Python: a pyenv shim would try to write beside itself after installing, and fail. */
const pythonItself = '"$(python3 -c "import sys; print(sys.executable)")"'

export const pipInstall = `${pythonItself} -m pip install --quiet --disable-pip-version-check --no-input --cache-dir .cache --target packages`

/** Installs the requirements in `all.txt`, one per line, as arguments after the options: none of them can be one. */
export const pipInstallList = `mkdir -p packages; set --; while IFS= read -r each; do test -z "$each" || set -- "$@" "$each"; done < all.txt; test $# -eq 0 || ${pipInstall} OPTIONS -- "$@"`
