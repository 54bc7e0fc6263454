export { type AnswerReader, beginAnswer } from './calls/answer-reader.ts'
export { type Pace, systemPace } from './calls/pace.ts'
export { classifyModelFailure, type ModelFailure, type ModelFailureCode } from './classify-model-failure.ts'
export { estimateTokens } from './estimate-tokens.ts'
export { ModelNotConfigured } from './model-not-configured.ts'
export { createOfflineModel } from './offline-model/create-offline-model.ts'
export { type ExpectedCall, expectedCalls, type SampleValues } from './offline-model/expected-calls.ts'
export {
  defaultModel,
  type GivenLanguageModel,
  givenLanguageModel,
  type LanguageModelEnv,
  type LanguageModels,
  type ModelCallBounds,
  type ModelProblem,
  resolveLanguageModels,
} from './resolve-language-models.ts'
export { splitWords } from './split-words.ts'
export { againNote, attachmentHeading, postNote, turnNoteHeading } from './turn-note.ts'
