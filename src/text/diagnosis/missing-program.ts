/** Of a shell: what it found cannot be run; it found nothing of the name. */
export const notRunnable = 126
export const notFound = 127

/** Messages of shells, and of whatever else starts programs, with the program as `name`. */
const messages: readonly RegExp[] = [
  /command not found: (?<name>[\w.+-]+)/,
  /(?:^|: )(?<name>[\w.+-]+): command not found\b/,
  /^\S*sh: (?:\d+: |line \d+: )?(?<name>[\w.+-]+): (?:not found|inaccessible or not found)$/,
  /\benv: ['‘"]?(?<name>[\w.+-]+)['’"]?: No such file or directory/,
  /failed to execute (?<name>[\w.+-]+): No such file/,
  /\bspawn (?<name>[\w.+-]+) ENOENT\b/,
  /exec: "(?<name>[\w.+-]+)": executable file not found/,
  /^g?make(?:\[\d+\])?: (?<name>[\w.+-]+): No such file or directory/,
  /linker `(?<name>\w+)` not found/,
  /No module named '?(?<name>pytest)'?\s*$/,
  /No (?<name>CMAKE_C(?:XX)?_COMPILER) could be found/,
  /(?<name>JAVA_HOME) (?:is not set|environment variable is not defined)/,
  // fish, PowerShell, cmd; and what shells say in other languages.
  /^fish: Unknown command: (?<name>[\w.+-]+)/,
  /^(?:\S+ ?: )?The term '(?<name>[\w.+-]+)' is not recognized/,
  /^'(?<name>[\w.+-]+)' is not recognized as an internal or external command/,
  /(?:^|: )(?<name>[\w.+-]+) ?: (?:Befehl|Kommando) nicht gefunden/,
  /(?:^|: )(?<name>[\w.+-]+) ?: commande introuvable/,
  /(?:^|: )(?<name>[\w.+-]+) ?: (?:orden no encontrada|comando não encontrado|comando non trovato)/,
  /(?:^|: )(?<name>[\w.+-]+) ?: (?:команда не найдена|未找到命令|コマンドが見つかりません)/,
]

/** The program that this line of output says is not there, or `null`. */
export function missingProgramIn(line: string): string | null {
  for (const message of messages) {
    const name = message.exec(line)?.groups?.name
    if (name !== undefined) return name
  }
  return null
}

/** What a shim leads to: the shim itself is there. */
const behindShim = /: \/\S+\/([\w.+-]+): not found$/m

/** A file of the project, which a shell calls by its path. */
const ownFile = /(?:^|[\s:'‘])[\w.-]+\/[^\s:]*: (?:not found|No such file)/m

/** The program without which a command ended so; `a program` where nobody says which one. */
export function programLacking(exitCode: number | null, output: string): string | null {
  if (exitCode === 0) return null
  const named = output.split('\n').map(missingProgramIn)
  // Python is there, and says so of itself.
  if (exitCode !== notFound) return named.find((name) => name === 'pytest') ?? null
  const name = named.find((each) => each !== null) ?? behindShim.exec(output)?.[1]
  return name ?? (ownFile.test(output) ? null : 'a program')
}
