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
