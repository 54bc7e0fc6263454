import { Alert, Button, FileInput, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOf } from '../../components/form-fields.ts'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { saveFile } from '../../components/save-file.ts'
import { NotAllowedState } from '../../components/states.tsx'
import { useFormat } from '../../components/use-format.ts'
import { useAccess } from '../../session/console-context.tsx'
import { useProtocol } from '../parts/use-protocol.ts'
import { entitySchema, ProtocolSelect } from './entity-forms.tsx'
import { ImportRows } from './import-rows.tsx'
import { readSheetFile, type Sheet } from './read-sheet-file.ts'
import { columnsOf } from './sheet-rows.ts'
import { csvOf } from './write-sheet.ts'

/** Registers the rows of a file, after the user has seen which rows have errors. */
export const ImportView = () => {
  const { t } = useTranslation('twins')
  return (
    <Page title={t('import.title')} description={t('import.description')}>
      {useAccess().may('entities/write') ? <Import /> : <NotAllowedState ability="entities/write" />}
    </Page>
  )
}

const Import = () => {
  const { t } = useTranslation('twins')
  const [chosen, setChosen] = useState<string | null>(null)
  const [type, setType] = useState('')
  const [settledType] = useDebouncedValue(type.trim(), 300)
  const [file, setFile] = useState<File | null>(null)
  const [sheet, setSheet] = useState<Sheet>()
  const protocol = useProtocol(chosen ?? undefined)
  const isReady = chosen === null || protocol !== undefined
  const columns = useMemo(() => columnsOf(fieldsOf(entitySchema(protocol, t))), [protocol, t])
  useEffect(() => {
    setSheet(undefined)
    if (file === null || !isReady) return undefined
    const rules = {
      columns,
      isOpen: chosen === null,
      defaults: settledType === '' ? {} : { type: settledType },
      constants: chosen === null ? {} : { protocol: chosen },
    }
    return readSheetFile(file, rules, setSheet)
  }, [file, isReady, columns, chosen, settledType])
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <ProtocolSelect value={chosen} onChange={setChosen} />
        <TextInput
          size="xs"
          label={t('import.type')}
          placeholder="CookStove"
          maxLength={200}
          value={type}
          onChange={event => setType(event.currentTarget.value)}
        />
        <FileInput
          size="xs"
          w="16rem"
          label={t('import.file')}
          placeholder=".csv, .xlsx"
          accept=".csv,.xlsx,text/csv"
          clearable
          clearButtonProps={{ 'aria-label': t('claims.noFiles') }}
          value={file}
          onChange={setFile}
        />
        <Button
          size="xs"
          variant="subtle"
          disabled={!isReady}
          onClick={() => saveFile(csvOf([columns.map(({ name }) => name)]), 'template.csv')}
        >
          {t('import.template')}
        </Button>
      </Group>
      <Note>{t('import.hint')}</Note>
      {sheet && <Preview key={`${file?.name} ${chosen} ${settledType}`} sheet={sheet} />}
    </Stack>
  )
}

const Preview = ({ sheet }: { readonly sheet: Sheet }) => {
  const { t } = useTranslation('twins')
  const { number } = useFormat()
  const { good, bad, ignored, missing, isRead, problem } = sheet
  const count = (rows: readonly unknown[]) => ({ count: rows.length, shown: number(rows.length) })
  return (
    <Stack gap="sm">
      {problem && <Alert color="red">{t(`import.problems.${problem}`)}</Alert>}
      {missing.length > 0 && <Alert color="red">{t('import.missing', { names: missing.join(', ') })}</Alert>}
      <Text size="sm" role="status">
        {isRead
          ? `${t('import.good', count(good))} ${t('import.bad', count(bad))}`
          : t('import.reading', { rows: number(good.length + bad.length) })}
      </Text>
      {ignored.length > 0 && <Note>{t('import.ignored', { names: ignored.slice(0, 30).join(', ') })}</Note>}
      {isRead && problem === undefined && <ImportRows sheet={sheet} />}
    </Stack>
  )
}
