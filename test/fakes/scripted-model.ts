export { createScriptedModel, type ScriptedReply } from '../../src/adapters/scripted-model.ts'
