// A write of an entity is answered at once, and stored a moment later.
import { replaceSource } from '../frame/replace-source.ts'

const file = 'packages/plugins/entities/src/writing/perform-round.ts'

replaceSource([
  { file, find: 'await parts.storage.write(tx => writeTasks', replace: 'await later(parts.storage, tx => writeTasks' },
  {
    file,
    find: 'const writeTogether = async (',
    replace: `const later = async (storage, work, options) =>
  void setTimeout(() => void storage.write(work, options).catch(() => {}), 50)

const writeTogether = async (`,
  },
])
