export { createSigningKey } from '@sibyl/identity'
export { type ExpectedCall, expectedCalls, type SampleValues } from '../agent/offline-model/expected-calls.ts'
export { silentLogger } from '../logging/silent-logger.ts'
export { type CheckPluginOptions, checkPlugin, type PluginCheck } from './check-plugin.ts'
export { type DelegatedActor, type DelegationOptions, delegatedActor, type Grantor } from './delegated-actor.ts'
export type { FakeAnswer, FakeFailure, FakeReply } from './fake-openai-reply.ts'
export {
  type FakeOpenAi,
  type FakeOpenAiOptions,
  type FakeRequest,
  type FakeScript,
  startFakeOpenAi,
} from './fake-openai-server.ts'
export { fromAddress } from './from-address.ts'
export { type ReadStream, readStream, type StreamedEvent } from './read-stream.ts'
export { type RecordedLine, type RecordedLogger, recordedLogger } from './recorded-logger.ts'
export { reservePort } from './reserve-port.ts'
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedPart,
  type ScriptedStep,
  scriptedModel,
} from './scripted-model.ts'
export { type StreamReader, streamReader } from './stream-reader.ts'
export { switchedOn } from './switched-on.ts'
export { type TestActor, type TestTarget, testActor } from './test-actor.ts'
export { type TestApp, testApp } from './test-app.ts'
export { testLimits } from './test-limits.ts'
