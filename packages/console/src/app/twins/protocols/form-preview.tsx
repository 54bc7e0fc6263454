import { Fieldset } from '@mantine/core'
import type { JsonObject } from '@sibyl/protocol'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOf } from '../../components/form-fields.ts'
import { Note } from '../../components/note.tsx'
import { SchemaFields } from '../../components/schema-fields.tsx'
import { schemaOfRules } from '../parts/schema-of-rules.ts'
import type { Field } from './protocol-draft.ts'

/** The form that the fields describe, to try it; nothing is sent. */
export const FormPreview = ({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) => {
  const { t } = useTranslation('twins')
  const [values, setValues] = useState<JsonObject>({})
  const shown = fieldsOf(schemaOfRules(Object.fromEntries(fields.map(({ name, rule }) => [name, rule]))))
  return (
    <Fieldset legend={label} variant="default">
      {shown.length === 0 ? (
        <Note>{t('protocols.noFields')}</Note>
      ) : (
        <SchemaFields fields={shown} values={values} onChange={setValues} />
      )}
    </Fieldset>
  )
}
