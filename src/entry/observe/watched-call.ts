/** Names and figures, by the names that OpenTelemetry has for them, where it has one; never a text of others. */
export type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A call through a port to something outside: the model, a command, GitHub, git. */
export interface WatchedCall {
  readonly kind: 'model' | 'command' | 'forge' | 'git'
  /** `chat gpt-5`, `execute_tool run_command`, `forge upsert_comment`. */
  readonly name: string
  readonly facts: Facts
}

export interface CallEnd {
  readonly facts: Facts
  /** A word for what went wrong, `forge_denied`; `null` when nothing did. */
  readonly error: string | null
}

/** Told of a call when it begins; what it answers is told of its end. */
export type CallWatcher = (call: WatchedCall) => (end: CallEnd) => void
