/** A shell's exit codes: the program cannot be executed; the program was not found. */
export const notRunnable = 126
export const notFound = 127
