import { dependencyTools } from './dependency-tools.ts'
import type { MissingModule } from './missing-module.ts'

/** Packages of PyPI that are imported by another name. */
const pythonNames: Readonly<Record<string, string>> = {
  attr: 'attrs',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  dotenv: 'python-dotenv',
  github: 'PyGithub',
  jose: 'python-jose',
  jwt: 'PyJWT',
  magic: 'python-magic',
  MySQLdb: 'mysqlclient',
  PIL: 'Pillow',
  psycopg2: 'psycopg2-binary',
  serial: 'pyserial',
  sklearn: 'scikit-learn',
  yaml: 'pyyaml',
}

/** Gems whose file has another name. */
const rubyNames: Readonly<Record<string, string>> = {
  active_support: 'activesupport',
  active_record: 'activerecord',
  'rack/test': 'rack-test',
}

const rubyGem = (file: string): string =>
  rubyNames[file] ?? rubyNames[file.split('/')[0] ?? ''] ?? file.split('/')[0] ?? file

const dotnetNames: Readonly<Record<string, string>> = {
  Newtonsoft: 'Newtonsoft.Json',
  Xunit: 'xunit',
}

const phpPackages: Readonly<Record<string, string>> = {
  Carbon: 'nesbot/carbon',
  Faker: 'fakerphp/faker',
  GuzzleHttp: 'guzzlehttp/guzzle',
  Mockery: 'mockery/mockery',
  Monolog: 'monolog/monolog',
  PHPUnit: '--dev phpunit/phpunit',
  Ramsey: 'ramsey/uuid',
  Twig: 'twig/twig',
}

/** How the project's own package manager takes one more; by the first whose lock or manifest is there. */
function adding(language: 'javascript' | 'python', paths: readonly string[]): string {
  const own = dependencyTools.find(
    (tool) => tool.language === language && paths.some((path) => tool.lock.test(path)),
  )
  const otherwise = language === 'javascript' ? 'npm install' : 'pip install'
  return own === undefined || /^(?:npm|python3)$/.test(own.program)
    ? otherwise
    : `${own.program} add`
}

/** The command a person would type; `null` for local modules and for names that are no package's. */
export function installCommandFor(missing: MissingModule, files: Iterable<string>): string | null {
  const paths = [...files]
  if (missing.kind === 'local') return null
  const { specifier } = missing
  switch (missing.language) {
    case 'javascript': {
      const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier)?.[0]
      return name === undefined ? null : `${adding('javascript', paths)} ${name}`
    }
    case 'python': {
      const first = specifier.split('.')[0] ?? specifier
      return `${adding('python', paths)} ${pythonNames[first] ?? first}`
    }
    case 'go':
      return /^[\w./~-]+$/.test(specifier) ? `go get ${specifier}` : null
    case 'rust':
      return `cargo add ${specifier.split('::')[0]}`
    case 'ruby':
      return `${paths.includes('Gemfile') ? 'bundle add' : 'gem install'} ${rubyGem(specifier)}`
    case 'csharp':
      return `dotnet add package ${dotnetNames[specifier] ?? specifier}`
    case 'php': {
      const vendor = specifier.replace(/^\\/, '').split('\\')[0] ?? ''
      return phpPackages[vendor] === undefined ? null : `composer require ${phpPackages[vendor]}`
    }
    case 'java':
    case 'c':
      return null
  }
}
