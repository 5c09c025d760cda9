import { dependencyTools } from './dependency-tools.ts'
import type { MissingModule } from './missing-module.ts'

/** Packages that are imported by another name. */
const otherNames = {
  python: {
    ...{ attr: 'attrs', bs4: 'beautifulsoup4', cv2: 'opencv-python', dateutil: 'python-dateutil' },
    ...{ dotenv: 'python-dotenv', github: 'PyGithub', jose: 'python-jose', jwt: 'PyJWT' },
    ...{ magic: 'python-magic', MySQLdb: 'mysqlclient', PIL: 'Pillow', serial: 'pyserial' },
    ...{ psycopg2: 'psycopg2-binary', sklearn: 'scikit-learn', yaml: 'pyyaml' },
  },
  ruby: {
    ...{ active_support: 'activesupport', active_record: 'activerecord' },
    'rack/test': 'rack-test',
  },
  csharp: { Newtonsoft: 'Newtonsoft.Json', Xunit: 'xunit' },
  php: {
    ...{ Carbon: 'nesbot/carbon', Faker: 'fakerphp/faker', GuzzleHttp: 'guzzlehttp/guzzle' },
    ...{ Mockery: 'mockery/mockery', Monolog: 'monolog/monolog', Ramsey: 'ramsey/uuid' },
    ...{ PHPUnit: '--dev phpunit/phpunit', Twig: 'twig/twig' },
  },
}

const named = (language: keyof typeof otherNames, name: string): string | undefined =>
  (otherNames[language] as Readonly<Record<string, string>>)[name]

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
      const [first = ''] = specifier.split('.')
      return `${adding('python', paths)} ${named('python', first) ?? first}`
    }
    case 'go':
      return /^[\w./~-]+$/.test(specifier) ? `go get ${specifier}` : null
    case 'rust':
      return `cargo add ${specifier.split('::')[0]}`
    case 'ruby': {
      const [first = ''] = specifier.split('/')
      const gem = named('ruby', specifier) ?? named('ruby', first) ?? first
      return `${paths.includes('Gemfile') ? 'bundle add' : 'gem install'} ${gem}`
    }
    case 'csharp':
      return `dotnet add package ${named('csharp', specifier) ?? specifier}`
    case 'php': {
      const vendor = specifier.replace(/^\\/, '').split('\\')[0] ?? ''
      const name = named('php', vendor)
      return name === undefined ? null : `composer require ${name}`
    }
    default:
      return null
  }
}
