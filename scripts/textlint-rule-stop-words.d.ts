declare module 'textlint-rule-stop-words' {
  import type { TextlintKernelRule } from '@textlint/kernel'

  const rule: TextlintKernelRule['rule']
  export default rule
}
