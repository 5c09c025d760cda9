/** What the model may use in the loop of tools. */
export const toolNames = [
  ...(['read_file', 'list_files', 'grep', 'search'] as const),
  ...(['write_diff', 'run_tests', 'static_analyze', 'done'] as const),
] as const
