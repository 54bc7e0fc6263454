export {
  type Failures,
  type ReceivedRequest,
  type Script,
  type ScriptedOracle,
  type ScriptedTurn,
  startScriptedOracle,
} from './scripted-oracle.ts'
export type { ScriptedEvent } from './scripted-stream.ts'
