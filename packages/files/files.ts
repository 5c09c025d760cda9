export { findProgram, homeDirectory } from './find-program.ts'

export {
  type FolderSize,
  isInside,
  lstatOrNull,
  makeWay,
  measureFolder,
  pathProblem,
  placeIn,
  readFolder,
  readRegular,
  removeFolder,
  removeIn,
  removePlaceholder,
  resolveIn,
  takeOut,
  wayTo,
} from './lent-folder.ts'
export {
  appendPlain,
  errorCode,
  plainRead,
  readPlain,
  replaceFile,
  textOf,
  textSizeLimit,
  useFile,
} from './plain-file.ts'
export {
  inTemporaryFolder,
  makeTemporaryFolder,
  processExists,
  removeAbandoned,
  removeLeftFolders,
  removeTemporaryFolder,
} from './temporary-folder.ts'
