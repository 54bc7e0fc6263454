import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'

/** Pictures of the console that the README and the guide show. */
const shown = [
  'console-home-light-1280',
  'console-home-dark-1280',
  'console-chat-light-1280',
  'console-twins-light-1280',
  'console-operations-dark-1280',
  'console-phone-light-360',
]

/** Takes the pictures in Chromium, and copies the shown ones to the guide. Returns their paths. */
export const takeConsolePictures = (): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-pictures-'))
  try {
    execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'packages/console/src/pictures'], {
      cwd: workspaceRoot,
      env: { ...process.env, SIBYL_PICTURES: folder },
      stdio: 'inherit',
    })
    return shown.map(name => {
      const path = `docs/guide/images/${name}.png`
      copyFileSync(join(folder, `${name}.png`), join(workspaceRoot, path))
      return path
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
