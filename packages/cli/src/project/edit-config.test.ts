import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editConfig, editConfigText } from './edit-config.ts'
import { folderWith } from './project-folder.test.helper.ts'

const text = `{
    "name":  "Field {Oracle}, \\"the\\" first",
    "prompt": "a:b",

    "price" : "free"
}
`

test('changes keys in place, and appends new ones, in the style of the others', () => {
  expect(editConfigText(text, { prompt: 'new "words"', entityDid: 'did:ixo:entity:1' })).toBe(`{
    "name":  "Field {Oracle}, \\"the\\" first",
    "prompt": "new \\"words\\"",

    "price" : "free",

    "entityDid": "did:ixo:entity:1"
}
`)
})

test.each([
  ['{}', '{\n  "name": "x"\n}'],
  ['{ }\n', '{\n  "name": "x"\n}\n'],
  ['{"price":"free"}', '{"price":"free", "name": "x"}'],
  ['{\n\t"price": "free"\n}', '{\n\t"price": "free",\n\t"name": "x"\n}'],
  ['{"name":1,"name":{"a":[1]}}', '{"name":1,"name":"x"}'],
])('%j', (before, after) => {
  expect(editConfigText(before, { name: 'x' })).toBe(after)
})

test('the file changes whole or not at all', async () => {
  const folder = folderWith({ 'oracle.config.json': text })
  await editConfig(folder, { network: 'testnet' })
  expect(JSON.parse(readFileSync(join(folder, 'oracle.config.json'), 'utf8'))).toEqual({
    ...JSON.parse(text),
    network: 'testnet',
  })
})

test.each(['[]', '{"name": }', '"x"', '{"nmae":"x"}'])('leaves an invalid config alone: %s', async before => {
  const folder = folderWith({ 'oracle.config.json': before })
  await expect(editConfig(folder, { name: 'x' })).rejects.toMatchObject({ code: 'configuration_invalid' })
  expect(readFileSync(join(folder, 'oracle.config.json'), 'utf8')).toBe(before)
})
