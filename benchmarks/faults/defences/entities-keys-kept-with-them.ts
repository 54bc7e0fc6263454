// The reply to an Idempotency-Key is kept a moment after the entity that it names.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/entities/src/writing/perform-round.ts',
    find: 'if (task.reply && !(await keepReply(tx, task.reply, prepared.answer, parts.now()))) throw new Clash()',
    replace: `const { reply } = task
    const keep = later => keepReply(later, reply, prepared.answer, parts.now())
    if (reply) setTimeout(() => void parts.storage.write(keep).catch(() => {}), 50)`,
  },
])
