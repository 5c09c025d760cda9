import { describe, expect, it, test } from 'vitest'
import { isProtected } from '../../gate/protected-paths.ts'

const options = { roadmap: 'ROADMAP.md', extra: [], allowed: [] }

describe('isProtected', () => {
  test.each([
    ['.github/workflows/ci.yml', /workflows/],
    ['.GitHub/Workflows/x', /workflows/],
    ['.github', /workflows/],
    ['docs/CODEOWNERS', /workflows/],
    ['action.yml', /workflows/],
    ['tools/setup/action.yaml', /workflows/],
    ['.depot/workflows/ci.yml', /workflows/],
    ...['.mergify.yml', '.mergify/config.yml', '.kodiak.toml', 'bors.toml', '.policy.yml'].map(
      (path): [string, RegExp] => [path, /merging/],
    ),
    ...['renovate.json', '.renovaterc', '.renovaterc.json', 'renovate.json5', '.releaserc.yml'].map(
      (path): [string, RegExp] => [path, /releasing/],
    ),
    ['web/release.config.mjs', /releasing/],
    ...['.gitleaks.toml', '.semgrepignore', '.trivyignore', '.snyk', '.gitleaksignore'].map(
      (path): [string, RegExp] => [path, /scanner/],
    ),
    ...['.pnp.cjs', '.pnp.loader.mjs', 'gradlew', 'android/gradlew.bat', 'mvnw', 'mvnw.cmd'].map(
      (path): [string, RegExp] => [path, /registry/],
    ),
    ...['.hooks/x', 'hooks/pre-commit', 'hooks/post-merge.sh', 'git/hooks/update'].map(
      (path): [string, RegExp] => [path, /hook/],
    ),
    ['hooks/commit-msg', /hook/],
    ['opencode.json', /agents/],
    ['.opencode/agent/a.md', /agents/],
    ['.gitlab-ci.yml', /CI/],
    ['.circleci/config.yml', /CI/],
    ['Jenkinsfile', /CI/],
    ['ci/Jenkinsfile.release', /CI/],
    ['azure-pipelines.yml', /CI/],
    ['.travis.yml', /CI/],
    ['packages/a/.npmrc', /registry/],
    ['.yarnrc.yml', /registry/],
    ['.yarn/releases/yarn.cjs', /registry/],
    ['.pypirc', /registry/],
    ['.cargo/config.toml', /registry/],
    ['.husky/pre-commit', /hook/],
    ['.githooks/pre-push', /hook/],
    ['.pre-commit-config.yaml', /hook/],
    ['lefthook.yml', /hook/],
    ['.lefthook-local.toml', /hook/],
    ['.vscode/tasks.json', /editor/],
    ['web/app.code-workspace', /editor/],
    ['.dir-locals.el', /editor/],
    ['.asf.yaml', /GitHub/],
    ['pkg/OWNERS', /merging/],
    ['OWNERS_ALIASES', /merging/],
    ['.pullapprove.yml', /merging/],
    ['.prow.yaml', /another CI/],
    ['.zuul.yaml', /another CI/],
    ['.zuul.d/jobs.yaml', /another CI/],
    ['.harness/pipelines/a.yaml', /another CI/],
    ['.readthedocs.yaml', /publishes/],
    ['site/netlify.toml', /publishes/],
    ['vercel.json', /publishes/],
    ['.gitpod.yml', /publishes/],
    ['.hg/hgrc', /git/],
    ['.agents/skills/a.md', /agents/],
    ['.amazonq/rules/a.md', /agents/],
    ['.openhands/setup.sh', /agents/],
    ['mcp.json', /agents/],
    ['WARP.md', /agents/],
    ['CRUSH.md', /agents/],
    // Siblings of those, each of another program.
    ...[
      'release-please-config.json',
      '.rultor.yml',
      '.reviewpad.yml',
      '.coderabbit.yaml',
      '.scala-steward.conf',
      'gitstream.cm',
      '.trunk/trunk.yaml',
    ].map((path): [string, RegExp] => [path, /merging/]),
    ...[
      'web/.harness/a.yaml',
      '.circleci.yml',
      'wercker.yml',
      'codefresh.yml',
      'codeship-steps.yml',
      '.build.yml',
      '.builds/a.yml',
      '.onedev-buildspec.yml',
      '.cirrus.star',
      '.drone.jsonnet',
      'bamboo-specs/a.yml',
      '.copr/Makefile',
      '.packit.yaml',
      'ios/ci_scripts/ci_post_clone.sh',
    ].map((path): [string, RegExp] => [path, /another CI/]),
    ...[
      '.gitpod/automations.yaml',
      '.platform/routes.yaml',
      'heroku.yml',
      'wrangler.jsonc',
      '.ebextensions/a.config',
    ].map((path): [string, RegExp] => [path, /publishes/]),
    ...[
      '.theia/tasks.json',
      '.helix/languages.toml',
      '.project',
      '.ycm_extra_conf.py',
      '.gdbinit',
      'test/.pryrc',
    ].map((path): [string, RegExp] => [path, /debugger/]),
    ...['.sbtopts', '.bazelrc', 'tools/bazel', '.m2/settings.xml', '.gradle/init.gradle'].map(
      (path): [string, RegExp] => [path, /registry/],
    ),
    ...['.huskyrc.json', 'captainhook.json', 'hk.pkl', '.cargo-husky/hooks/pre-commit'].map(
      (path): [string, RegExp] => [path, /hook/],
    ),
    ...[
      '.kilocode/rules/a.md',
      '.claude-plugin/plugin.json',
      'skills/a/SKILL.md',
      'JULES.md',
      'crush.json',
      'mcp_config.json',
      '.augment-guidelines',
      '.rovodev/config.yml',
    ].map((path): [string, RegExp] => [path, /agents/]),
    ...['.gitreview', '.hgsub', '.arcconfig', '.bzr/branch/branch.conf'].map(
      (path): [string, RegExp] => [path, /git's own/],
    ),
    ['package-lock.json', /lock/],
    ['web/yarn.lock', /lock/],
    ['pnpm-lock.yaml', /lock/],
    ['bun.lockb', /lock/],
    ['deno.lock', /lock/],
    ['poetry.lock', /lock/],
    ['uv.lock', /lock/],
    ['Pipfile.lock', /lock/],
    ['Cargo.lock', /lock/],
    ['go.sum', /lock/],
    ['Gemfile.lock', /lock/],
    ['composer.lock', /lock/],
    ['mix.lock', /lock/],
    ['pubspec.lock', /lock/],
    ['Podfile.lock', /lock/],
    ['Package.resolved', /lock/],
    ['packages.lock.json', /lock/],
    ['gradle.lockfile', /lock/],
    ['flake.lock', /lock/],
    ['.terraform.lock.hcl', /lock/],
    ['AGENTS.md', /agents/],
    ['sub/claude.md', /agents/],
    ['CLAUDE.local.md', /agents/],
    ['GEMINI.md', /agents/],
    ['.cursorrules', /agents/],
    ['.cursor/rules/a.mdc', /agents/],
    ['.claude/settings.json', /agents/],
    ['docs/copilot-instructions.md', /agents/],
    ['.aider.conf.yml', /agents/],
    ['.gitmodules', /git's own/],
    ['src/.gitattributes', /git's own/],
    ['.env', /environment/],
    ['api/.env.local', /environment/],
    ['.envrc', /environment/],
    ['.executor/state.json', /program's own/],
    ['roadmap.MD', /roadmap/],
    ['.g\u200Bithub/workflows/ci.yml', /workflows/],
    ['.ｇithub/x', /workflows/],
  ])('%s', (path, reason) => {
    expect(isProtected(path, options)).toMatch(reason)
  })

  test.each([
    'src/a.js',
    'hooks/use-cart.ts',
    'src/hooks/index.ts',
    'hooks/update.js',
    'hooks/preload-data.ts',
    'hooks/post-list.tsx',
    'src/action.ts',
    'src/renovate.ts',
    'policy.md',
    'docs/policy.yml.md',
    'package.json',
    'docs/github/workflows.md',
    '.gitignore',
    'src/env.ts',
    'src/agents.ts',
    'src/lock.ts',
    'src/skills/list.md',
    'src/dagger/graph.ts',
    'docs/ci_scripts.md',
    'src/platform/app.yaml',
    'src/bazel.ts',
    'tools/bazel.ts',
    'src/project.ts',
    'src/builds/a.yml',
    'reviewers.md',
    'lib/rprofile.rb',
    'docs/ROADMAP.md',
    'environment.yml',
  ])('%s is free', (path) => {
    expect(isProtected(path, options)).toBeNull()
  })

  it('accepts globs from the configuration, and a roadmap path that is not normalised', () => {
    const rules = { ...options, roadmap: './docs/Plan.md', extra: ['infra/**', '*.pem'] }
    expect(isProtected('Infra/prod/main.tf', rules)).toMatch(/configuration/)
    expect(isProtected('server.pem', rules)).toMatch(/configuration/)
    expect(isProtected('docs/plan.md', rules)).toMatch(/roadmap/)
    expect(isProtected('src/a.js', { ...options, extra: ['!src/**'] })).toBeNull()
  })

  it('lets through exactly the path that was granted', () => {
    const rules = { ...options, allowed: ['.github/workflows/ci.yml'] }
    expect(isProtected('.github/workflows/ci.yml', rules)).toBeNull()
    expect(isProtected('.github/workflows/CI.yml', rules)).not.toBeNull()
    expect(isProtected('.github/workflows/ci.yml/x', rules)).not.toBeNull()
  })
})
