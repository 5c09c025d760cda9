import { type Saying, testModelContract } from '../contracts/model.ts'
import { createScriptedModel, type ScriptedReply } from './scripted-model.ts'

testModelContract('the scripted model of the tests', (sayings, test) =>
  test(createScriptedModel(sayings.map(toReply)), () => {}),
)

function toReply(saying: Saying): ScriptedReply {
  switch (saying.kind) {
    case 'answer':
      return { text: saying.text }
    case 'cut':
      return { text: saying.text, finish: 'length' }
    case 'unavailable':
      return { unavailable: 'overloaded', retryAt: saying.retryAt }
    case 'rejected':
      return { rejected: 'no such model' }
  }
}
