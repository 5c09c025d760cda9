import { wantedEvents } from '../runs/triggers/trigger.ts'

const event = process.env.GITHUB_EVENT_NAME ?? ''
if (wantedEvents.has(event)) {
  // Not awaited: a chunk of the bundle that needs this one would wait forever.
  void import('./action/act.ts')
    .then(({ runAction }) => runAction())
    .then((code) => {
      process.exitCode = code
    })
} else {
  process.stdout.write(`Nothing to do for the event ${JSON.stringify(event)}.\n`)
}
