export {
  type DueRunRecord,
  dueRunRecord,
  type ListedTaskRecord,
  listedTaskRecord,
  type TaskRecord,
  taskRecord,
  taskStates,
} from './task-records.ts'
