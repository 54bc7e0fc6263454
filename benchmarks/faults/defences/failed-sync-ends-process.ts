// The process stays after a failed sync.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/start/run-until-signal.ts',
    find: 'void oracle.failed.then(() => {',
    replace: 'void new Promise(() => {}).then(() => {',
  },
])
