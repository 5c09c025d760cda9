/** What known agents need to use a relay: variables and settings in their home. Others read `OPENAI_BASE_URL`. */

export const variablesFor = (
  port: number,
  word: string,
  model: string,
): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  OPENAI_API_BASE: `http://127.0.0.1:${port}/v1`,
  OPENAI_API_KEY: word,
  OPENAI_MODEL: model,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  ANTHROPIC_API_KEY: word,
  ANTHROPIC_MODEL: model,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // As root, Claude Code refuses to work without questions outside a sandbox.
  IS_SANDBOX: '1',
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
})

export const homeFilesFor = (port: number, model: string): Readonly<Record<string, string>> => ({
  '.codex/config.toml': [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "executor"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.executor]',
    'name = "executor"',
    `base_url = "http://127.0.0.1:${port}/v1"`,
    'wire_api = "responses"',
    'env_key = "OPENAI_API_KEY"',
    '',
  ].join('\n'),
})
