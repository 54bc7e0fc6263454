import { existsSync } from 'node:fs'

/** Returns where Chromium is. */
export const chromiumPath = (): string | undefined =>
  [
    process.env.CHROMIUM_PATH ?? '',
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
  ]
    .filter(path => path !== '')
    .find(path => existsSync(path))
