import { contractFiles, testWorkspaceContract } from '../contracts/workspace.ts'
import { createMemoryWorkspace } from './memory-workspace.ts'

testWorkspaceContract('the workspace in memory', async (test) => {
  const workspace = createMemoryWorkspace({ files: contractFiles })
  await test({
    workspace,
    push: async (branch, files) => workspace.push(branch, files),
    keepPullRequest: async (number, sha) => workspace.keepPullRequest(number, sha),
    disturb: async (folder, path, text) => workspace.disturb(folder.name, path, text),
  })
})
