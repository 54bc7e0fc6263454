import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folders of the packages that are published, relative to the checkout. */
export const publishedFolders = root =>
  ['packages', 'packages/plugins', 'packages/adapters']
    .flatMap(folder => readdirSync(join(root, folder)).map(name => `${folder}/${name}`))
    .filter(path => existsSync(join(root, path, 'package.json')))
    .filter(path => !JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).private)
