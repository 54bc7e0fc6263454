export { createSigningKey } from '@sibyl/identity'
export { type ExpectedCall, expectedCalls, type SampleValues } from '@sibyl/models'
export type { FakeAnswer, FakeFailure, FakeReply } from '@sibyl/models/testing'
export {
  type FakeOpenAi,
  type FakeOpenAiOptions,
  type FakeRequest,
  type FakeScript,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedPart,
  type ScriptedStep,
  scriptedModel,
  startFakeOpenAi,
} from '@sibyl/models/testing'
export { silentLogger } from '@sibyl/plugin/host'
export { type RecordedLine, type RecordedLogger, recordedLogger } from '@sibyl/plugin/testing'
export { type CheckPluginOptions, checkPlugin, type PluginCheck } from './check-plugin.ts'
export { type DelegatedActor, type DelegationOptions, delegatedActor, type Grantor } from './delegated-actor.ts'
export { fromAddress } from './from-address.ts'
export { type ReadStream, readStream, type StreamedEvent } from './read-stream.ts'
export { reservePort } from './reserve-port.ts'
export { type StreamReader, streamReader } from './stream-reader.ts'
export { switchedOn } from './switched-on.ts'
export { type TestActor, type TestTarget, testActor } from './test-actor.ts'
export { type TestApp, testApp } from './test-app.ts'
export { testLimits } from './test-limits.ts'
export { wholeExport } from './whole-export.ts'
