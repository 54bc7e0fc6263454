// How far a webhook has come is written down before the change is sent.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/entities/src/changes/deliver-changes.ts',
    find: 'const failure = await send(parts, webhook, change, signal)',
    replace: `await store.progress(webhookId, run, change.position)
      await new Promise(resolve => setTimeout(resolve, 60))
      const failure = await send(parts, webhook, change, signal)`,
  },
])
