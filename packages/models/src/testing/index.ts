export type { FakeAnswer, FakeFailure, FakeReply } from './fake-openai-reply.ts'
export {
  type FakeOpenAi,
  type FakeOpenAiOptions,
  type FakeRequest,
  type FakeScript,
  startFakeOpenAi,
} from './fake-openai-server.ts'
export {
  answerWell,
  type RawAnswer,
  type RawApi,
  type RawProvider,
  rawEvents,
  rawHead,
  startRawProvider,
  streamHead,
} from './raw-provider.ts'
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedPart,
  type ScriptedStep,
  scriptedModel,
} from './scripted-model.ts'
export { ofChatCompletion } from './strict/strict-request.ts'
export { strictViolation } from './strict/strict-violations.ts'
