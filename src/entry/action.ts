import { wantedEvents } from '../runs/triggers/trigger.ts'

const event = process.env.GITHUB_EVENT_NAME ?? ''
// A check that is asked for on another event says why it does not run, instead of passing.
if (wantedEvents.has(event) || process.env.INPUT_COMMAND?.trim() === 'check') {
  // Not awaited: a chunk of the bundle that needs this one would wait forever.
  void import('./action/act.ts')
    .then(({ runAction }) => runAction())
    .then((code) => {
      process.exitCode = code
    })
} else {
  process.stdout.write(`Nothing to do for the event ${JSON.stringify(event)}.\n`)
}
