import picomatch from 'picomatch'
import { foldName, plainPath } from '../../text/text.ts'

/** Files that affect more than their own task; each group in lower case, with its description. */
const groups: readonly { readonly what: string; readonly globs: readonly string[] }[] = [
  {
    what: "GitHub's settings and workflows",
    globs: ['.github/**', '.depot/**', '.asf.yaml', '**/codeowners', '**/action.{yml,yaml}'],
  },
  {
    what: 'rules for merging, updating or releasing',
    globs: [
      '**/{,.}{mergify,bulldozer,policy,probot,palantir-policy}.{yml,yaml}',
      '**/{,.}{kodiak,bors}.toml',
      '**/.{mergify,mergequeue,aviator}/**',
      '**/{,.}{renovate,dependabot}{,rc}{,.json,.json5,.jsonc,.yml,.yaml,.js,.cjs,.mjs}',
      '**/.dependabot/**',
      '**/.pullapprove.{yml,yaml}',
      '**/owners{,_aliases}',
      '**/{.releaserc{,.*},release.config.*,.release-it.*,.goreleaser.{yml,yaml}}',
      '{release-please-config,.release-please-manifest}.json',
      '**/{,.}{rultor,reviewpad,restyled,pyup,depfu,coderabbit,sweep,sourcery,shipit}.{yml,yaml}',
      '**/{greenkeeper.json,.scala-steward.conf,.pr_agent.toml,codenotify,gitstream.cm}',
      '{.cm,.trunk}/**',
    ],
  },
  {
    what: 'the ignore list of a scanner',
    globs: [
      '**/.{gitleaks,gitguardian,secretlintrc,trufflehog,semgrep,trivy,checkov,snyk,bandit}{,.*}',
      '**/.{gitleaks,semgrep,trivy,snyk,secretlint,trufflehog}ignore',
      '**/.semgrep/**',
    ],
  },
  {
    what: 'the settings of another CI',
    globs: [
      '**/.gitlab-ci*.{yml,yaml}',
      '.{gitlab,gitea,forgejo,circleci,buildkite,teamcity,semaphore,tekton,azure-pipelines,woodpecker}/**',
      '**/jenkinsfile*',
      '**/azure-pipelines*.{yml,yaml}',
      '**/bitbucket-pipelines.yml',
      '**/{,.}{travis,appveyor,drone,woodpecker,cirrus}.{yml,yaml}',
      '**/{cloudbuild,buildspec}.{yml,yaml}',
      '**/{,.}{prow,zuul}.{yml,yaml}',
      '**/{.zuul.d,zuul.d,.harness,.prow}/**',
      '**/{,.}{circle,circleci,buildkite,wercker,shippable,screwdriver,codefresh}.{yml,yaml}',
      '**/{bitrise,codemagic,codeship-{steps,services},.build,.vsts-ci,.onedev-buildspec,.cnb}.{yml,yaml}',
      '**/{.cirrus.star,.drone.{jsonnet,star},*.gocd.{yaml,json},{,.}packit.{yml,yaml}}',
      '{.builds,bamboo-specs,.copr,.dagger,.lighthouse}/**',
      // Xcode Cloud calls them by name.
      '**/ci_scripts/ci_{post_clone,pre_xcodebuild,post_xcodebuild}.sh',
    ],
  },
  {
    what: 'the settings of a service that builds or publishes',
    globs: [
      '**/{.readthedocs,readthedocs,amplify,render}.{yml,yaml}',
      '**/{netlify,fly}.toml',
      '**/{vercel,now}.json',
      '**/.{gitpod,devfile}.{yml,yaml}',
      '**/.gitpod.dockerfile',
      '**/{.replit,.stackblitzrc}',
      '{.codesandbox,.gitpod,.platform,.do,.ebextensions}/**',
      '**/{heroku,appspec,.platform.app}.{yml,yaml}',
      '**/{wrangler,railway}.{toml,json,jsonc}',
    ],
  },
  {
    what: 'settings by which an editor or a debugger runs programs',
    globs: [
      '**/*.{code-workspace,sublime-project}',
      '**/{.dir-locals{,-2}.el,.exrc,.nvimrc,.nvim.lua,.vimrc,.lvimrc}',
      '**/.{vscode,idea,devcontainer,fleet,zed,nova,vs}/**',
      '**/.devcontainer.json',
      '**/.{theia,helix,vim,nvim,lapce,idx,externaltoolbuilders}/**',
      '**/{.ycm_extra_conf.py,.project,.tmuxinator.yml}',
      '**/.{gdbinit,lldbinit,pdbrc,irbrc,pryrc,byebugrc,rprofile,psqlrc,sqliterc}',
    ],
  },
  {
    what: 'the settings of a package registry',
    globs: [
      '**/{.npmrc,.pnpmfile.{cjs,mjs},.yarnrc*,.pypirc,.netrc,_netrc,.condarc,.gemrc,pip.conf,bunfig.toml,nuget.config}',
      '.yarn/**',
      '**/.pnp.{js,cjs,loader.mjs,data.json}',
      '**/.cargo/{config,config.toml,credentials,credentials.toml}',
      '**/.bundle/config',
      '**/.mvn/**',
      '**/gradle/wrapper/**',
      '**/{gradlew,mvnw}{,.bat,.cmd}',
      '**/{.sbtopts,.jvmopts,.bazelrc,.buckconfig,tools/bazel}',
      '**/{.m2,.gradle}/**',
    ],
  },
  {
    what: 'a hook that runs on its own',
    globs: [
      '**/.husky/**',
      '**/.githooks/**',
      '**/.git-hooks/**',
      '**/.hooks/**',
      // By the names that git calls; `hooks/` alone may contain anything.
      '**/hooks/{applypatch-msg,commit-msg,prepare-commit-msg,push-to-checkout,reference-transaction}{,.*}',
      '**/hooks/pre-{applypatch,auto-gc,commit,merge-commit,push,rebase,receive}{,.*}',
      '**/hooks/post-{applypatch,checkout,commit,index-change,merge,receive,rewrite,update}{,.*}',
      '**/hooks/{update,proc-receive,sendemail-validate,fsmonitor-watchman}',
      '**/.pre-commit-{config,hooks}.{yml,yaml}',
      '**/{,.}lefthook{,-local}.{yml,yaml,toml,json}',
      '**/.lefthook/**',
      '**/.overcommit.yml',
      '**/{,.}simple-git-hooks.*',
      '**/{.huskyrc{,.*},husky.config.{js,cjs,mjs},.rusty-hook.toml,prek.toml}',
      '**/{captainhook.json,grumphp.{yml,yaml},{,.}hk.pkl}',
      '.cargo-husky/**',
      '**/{.mise,mise}{,.local}.toml',
      '**/{.config/mise,.mise,.direnv}/**',
    ],
  },
  {
    what: 'a lock file',
    globs: [
      '**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,deno.lock}',
      '**/{poetry,pdm,uv,pixi,pipfile}.lock',
      '**/{pylock.toml,pylock.*.toml,conda-lock.yml,conda-lock.yaml,requirements.lock}',
      '**/{cargo,gemfile,composer,mix,pubspec,podfile,flake,shard,conan,chart,buf,devbox,paket,rebar}.lock',
      '**/{go.sum,go.work.sum,gems.locked,package.resolved,cartfile.resolved,packages.lock.json}',
      '**/{gradle.lockfile,buildscript-gradle.lockfile,.terraform.lock.hcl,stack.yaml.lock}',
      '**/{cabal.project.freeze,module.bazel.lock,renv.lock,vcpkg-lock.json,.terraform.lock}',
    ],
  },
  {
    what: 'instructions for agents',
    globs: [
      '**/{agents,agent,claude,gemini,qwen,warp,crush,jules,devin,replit}{,.local,.override}.md',
      '**/copilot-instructions.md',
      '**/{{,.}mcp,mcp{_,-}config,{,.}crush,firebender,.claude}.json',
      '**/{skill.md,.augment-guidelines,.kilocodemodes}',
      '**/.{cursorrules,windsurfrules,goosehints,rules}',
      '**/.{aider,clinerules,roorules,roomodes}*',
      '**/opencode.{json,jsonc}',
      '**/.{cursor,claude,gemini,codex,windsurf,roo,continue,junie,kiro,clinerules,opencode}/**',
      '**/.{agents,amazonq,openhands,augment,factory,trae,qwen,crush,warp}/**',
      '**/.{kilocode,goose,tabnine,rovodev,cline,amp,copilot,zencoder,jules,devin,firebender}/**',
      '**/.{claude-plugin,mcp,skills,bolt,lovable}/**',
    ],
  },
  {
    what: "git's own settings",
    globs: [
      '**/{.gitmodules,.gitattributes,.gitconfig,.lfsconfig,.mailmap,.gitreview}',
      '**/{.hgsub,.hgsubstate,.arcconfig,.arclint}',
      '**/{.hg,.jj,.svn,.bzr,.pijul,_darcs}/**',
    ],
  },
  { what: 'an environment file', globs: ['**/.env*', '**/.env*/**'] },
  { what: "this program's own files", globs: ['.executor/**'] },
]

const matchers = groups.map(({ what, globs }) => ({ what, matches: matcher(globs) }))

/**
 * Why this path may not be changed without a person's permission, or `null`. Ignores case and
 * invisible characters.
 *
 * @param options.roadmap path of the roadmap, which is protected whatever was granted
 * @param options.extra globs from the configuration
 * @param options.allowed paths that a writer granted for this task, in exactly this spelling
 */
export function isProtected(
  path: string,
  options: {
    readonly roadmap: string
    readonly extra: readonly string[]
    readonly allowed: readonly string[]
  },
): string | null {
  const folded = foldName(path)
  if (folded === foldName(plainPath(options.roadmap))) return 'the roadmap is protected'
  if (options.allowed.includes(path)) return null
  const group = matchers.find(({ matches }) => matches(folded))
  if (group) return `${group.what}: protected`
  const extra = options.extra.map(foldName)
  return matcher(extra)(folded) ? 'protected by the configuration' : null
}

function matcher(globs: readonly string[]): (path: string) => boolean {
  return globs.length === 0
    ? () => false
    : picomatch([...globs], { dot: true, nocase: true, nonegate: true })
}
