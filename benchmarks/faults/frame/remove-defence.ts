// For --import, as `remove-defence.ts?name=replay-guard`: removes a defence from the process.
import { findDefence, replacementsOf } from '../defences.ts'
import { replaceSource } from './replace-source.ts'

const name = new URL(import.meta.url).searchParams.get('name') ?? ''
const defence = findDefence(name)
if (!defence) throw new Error(`There is no defence '${name}'. Add it to defences.ts.`)
replaceSource(replacementsOf(defence))
