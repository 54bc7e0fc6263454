// A call that a person approved runs whatever the turn may do: its ability is checked where tools are offered alone.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/run-tool-call.ts',
    find: 'if (!verdict.allowed) throw',
    replace: "if (!verdict.allowed && verdict.reason !== 'ability_missing') throw",
  },
])
