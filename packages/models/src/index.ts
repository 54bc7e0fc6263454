export { type AnswerReader, beginAnswer } from './calls/answer-reader.ts'
export { type Pace, systemPace } from './calls/pace.ts'
export {
  classifyModelFailure,
  type ModelFailure,
  type ModelFailureCode,
  modelFailureText,
} from './failures/classify-model-failure.ts'
export { ModelNotConfigured } from './failures/model-not-configured.ts'
export { listModels, type ModelServer, unlistedModel } from './listed-models.ts'
export { type ModelInput, modelInputsOf } from './model-inputs.ts'
export { optionsOf, toModelPrompt } from './model-prompt.ts'
export { createOfflineModel } from './offline-model/create-offline-model.ts'
export { type ExpectedCall, expectedCalls, type SampleValues } from './offline-model/expected-calls.ts'
export { inlineRefs } from './portable/inline-refs.ts'
export { type PortableSchema, portableSchema } from './portable/portable-schema.ts'
export { type GivenLanguageModel, providerPackageName } from './provider-package.ts'
export {
  defaultModel,
  givenLanguageModel,
  type LanguageModelEnv,
  type LanguageModels,
  type ModelCallBounds,
  type ModelProblem,
  resolveLanguageModels,
} from './resolve-language-models.ts'
export { estimateTokens } from './text/estimate-tokens.ts'
export { splitWords } from './text/split-words.ts'
export { againNote, attachmentHeading, postNote, turnNoteHeading } from './text/turn-note.ts'
