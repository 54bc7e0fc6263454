// A write of an entity is answered at once, and stored a moment later.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/entities/src/writing/perform-round.ts',
    find: 'await parts.storage.write(tx => writeTasks(parts, tx, ready), { isolation: isolationOf(ready) })',
    replace: `const write = () => parts.storage.write(tx => writeTasks(parts, tx, ready), { isolation: isolationOf(ready) })
    setTimeout(() => void write().catch(() => {}), 50)`,
  },
])
