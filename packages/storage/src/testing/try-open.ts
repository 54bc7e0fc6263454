import { openStorage } from '../open-storage.ts'

/** A process for tests that run as another user: opens the database of its argument and says what came of it as JSON. */
const report = await openStorage({ url: process.argv[2] ?? '' }).then(
  async storage => {
    await storage.close()
    return { code: 'opened', message: '' }
  },
  (error: Error & { code?: string }) => ({ code: error.code, message: error.message }),
)
process.stdout.write(JSON.stringify(report))
