import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { takeConsolePictures } from './console-pictures.ts'
import { drawImages } from './draw-images.ts'
import { recordSession, terminalSize } from './record-session.ts'

for (const [path, text] of drawImages(await recordSession(), terminalSize.columns)) {
  mkdirSync(dirname(join(workspaceRoot, path)), { recursive: true })
  writeFileSync(join(workspaceRoot, path), text)
  console.log(`wrote ${path}`)
}
for (const path of takeConsolePictures()) console.log(`wrote ${path}`)
