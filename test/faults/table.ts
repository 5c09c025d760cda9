/** A test: a file, and words of its name. */
type Reference = readonly [file: string, words: string]

/** What can go wrong, as the table of promises has it, and the tests that show each to be kept. */
export const table: Readonly<Record<string, readonly Reference[]>> = {
  'kill -9 at every step boundary, and inside a state write': [
    ['test/faults/memory.test.ts', 'comes to the same end, whatever goes wrong once'],
    ['test/faults/memory-world.ts', 'on a runner of its own, whose disk goes with it'],
    ['test/e2e/cli/interrupted.test.ts', 'comes to the same end, killed after a word about'],
    ['test/e2e/processes.test.ts', 'whatever kills the process or its git'],
    ['test/adapters/file-store.test.ts', 'leaves the state of the last save that ended'],
  ],
  'Actions cancel': [
    [
      'test/e2e/cli/interrupted.test.ts',
      'saves its state, ends with 4, and goes on without paying',
    ],
    ['test/runs/run-roadmap.test.ts', 'saves where the run was, and is no crash of the task'],
    ['test/faults/processes/cancel-cases.ts', 'while a push hangs'],
  ],
  'POST accepted, then socket cut; 502 on POST': [
    ['test/faults/calls.test.ts', 'does its work once, whatever becomes of it'],
    ['test/adapters/octokit-forge.test.ts', 'a connection cut after'],
  ],
  'a pull request exists already (422)': [
    ['test/faults/strangers.ts', 'Somebody else has a pull request open from our branch'],
    ['test/adapters/octokit-forge-http.test.ts', 'takes the one with the same base'],
  ],
  'a ref is invisible after a push, lists lag': [
    ['test/faults/calls.test.ts', 'however late it is seen'],
    ['test/adapters/octokit-forge.test.ts', '502 after, and a list that lags'],
  ],
  'a marker posted by someone else': [
    ['test/faults/strangers.ts', "Somebody else's comment begins with our marker"],
  ],
  '429 or 403 with a limit': [
    ['test/adapters/octokit-forge-http.test.ts', 'waits as a limit says'],
    ['test/faults/github-calls.ts', 'the secondary limit'],
  ],
  'write pace': [['test/adapters/resilience/pace.test.ts', 'never lets more through']],
  '5xx, timeout, reset on reads or model': [
    ['test/adapters/resilience/call-policy.test.ts', 'never stays open for ever'],
    ['test/adapters/octokit-forge-http.test.ts', 'tries again with jitter'],
  ],
  '401, 404, validation error': [
    ['test/adapters/openai-model.test.ts', '%d is not retried'],
    ['test/adapters/octokit-forge-http.test.ts', 'is denied by %i without another try'],
  ],
  'reset in the middle of a push': [
    ['test/adapters/git-workspace-remote.test.ts', 'a lost answer'],
    ['test/faults/points.ts', 'workspace.publish'],
    ['test/faults/processes/kill-cases.ts', 'git-receive-pack'],
  ],
  'a person pushed to the branch': [
    ['test/faults/strangers.ts', 'Somebody pushed to our branch after we looked'],
    ['test/e2e/action/refusals.test.ts', 'that comes while the model thinks is left where it is'],
  ],
  'stale index.lock, dirty tree, detached HEAD, shallow clone': [
    ['test/adapters/git-workspace.test.ts', 'half-made repository, stale locks'],
    ['test/adapters/git-workspace.test.ts', 'a shallow clone'],
    ['test/adapters/git-workspace.test.ts', 'finds its branch locked'],
    ['test/faults/processes/strike-git.ts', 'locks stay'],
    ['test/e2e/cli/several-tasks.test.ts', 'a detached HEAD'],
  ],
  'webhooks many times, in any order': [
    ['test/contracts/job-queue.ts', 'takes the same delivery once'],
    ['test/contracts/job-queue.ts', 'runs a repository one at a time and in order'],
    ['test/faults/memory.test.ts', 'in whatever order five events are told'],
  ],
  'two runs at once': [
    ['test/e2e/cli/interrupted.test.ts', 'keeps another one out while it lives'],
    ['test/adapters/file-store.test.ts', 'leaves a lock that the next run takes over'],
    ['test/faults/disk.test.ts', 'two processes in one folder'],
    ['test/e2e/action/at-once.test.ts', 'two at once do not work on the same task'],
    ['test/adapters/durable-store.test.ts', 'leave or take over what belongs to'],
    ['test/faults/memory.test.ts', 'does nothing twice when two runs meet'],
    ['test/tasks/standing/worked-on-since.test.ts', 'leaves to the next run what somebody did'],
  ],
  'missed, late or double schedule': [
    ['test/e2e/action/nightly.test.ts', 'does nothing twice while its pull requests are open'],
    ['test/runs/schedule/find-gap.test.ts', 'what a schedule left out'],
    ['test/e2e/action/api-calls.test.ts', 'missed 2 runs'],
  ],
  'disk full, read-only directory': [
    ['test/adapters/file-store.test.ts', 'leaves the old state when the disk takes no more'],
    ['test/faults/points.ts', 'disk full'],
    ['test/faults/processes/strike-files.ts', 'read-only'],
    ['test/adapters/explain-disk.test.ts', 'says what to do about'],
  ],
  'corrupt state file, cut at any byte': [
    ['test/faults/disk.test.ts', 'a state that is cut at any byte'],
    ['test/adapters/file-store.test.ts', 'restores the one before it, wherever it was cut'],
    ['test/faults/memory.test.ts', 'or what the repository keeps is damaged'],
    [
      'test/adapters/durable-store.test.ts',
      'goes on from the state before, where the newest is damaged',
    ],
  ],
  'clock a day off or backwards': [
    ['test/adapters/file-store/journal-log.test.ts', 'whatever the clock says'],
    ['test/adapters/resilience/call-policy.test.ts', 'whatever the wall clock does'],
  ],
  'a task that kills every run': [
    ['test/faults/disk.test.ts', 'a task that kills every process'],
    ['test/runs/run-roadmap.test.ts', 'a task that kills the run'],
  ],
  'truncated, empty, endless, malformed model answer': [
    ['test/adapters/openai/continued-answers.test.ts', 'becomes whole, wherever it was cut'],
    ['test/adapters/openai-model.test.ts', 'a cut stream'],
  ],
  'an App token expires': [
    ['test/adapters/probot-app/token-store.test.ts', 'writes with one that is valid, every time'],
  ],
}
