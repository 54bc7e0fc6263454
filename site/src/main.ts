import type { AddressInfo } from 'node:net'
import { buildSite, siteFolder } from './build-site.ts'
import { drawDiagrams } from './diagrams/draw-diagrams.ts'
import { serveSite } from './serve-site.ts'

const [command = 'serve'] = process.argv.slice(2)

if (command === 'draw') {
  for (const path of drawDiagrams()) console.log(`wrote ${path}`)
} else if (command === 'build' || command === 'serve') {
  await buildSite()
  if (command === 'serve') {
    const server = await serveSite(siteFolder, Number(process.env.PORT ?? 4173))
    console.log(`The documentation is at http://localhost:${(server.address() as AddressInfo).port}. Ctrl-C stops it.`)
  }
} else {
  console.error(`Unknown command '${command}'. Use build, draw, or none to build and serve.`)
  process.exitCode = 2
}
