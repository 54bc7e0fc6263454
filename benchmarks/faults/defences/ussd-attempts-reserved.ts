// An attempt is counted a moment after it was made, as where it is counted once it was wrong.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/customers/lockout.ts',
    find: `          await tx
            .updateTable('ussd_attempts')
            .set(eb => ({ attempts: eb('attempts', '+', 1), last_at: at }))
            .where('subject', 'in', names)
            .execute()
`,
    replace: `          const count = (later: WriteTransaction) =>
            later
              .updateTable('ussd_attempts')
              .set(eb => ({ attempts: eb('attempts', '+', 1), last_at: at }))
              .where('subject', 'in', names)
              .execute()
          setTimeout(() => void storage.write(count).catch(() => {}), 300)
`,
  },
])
