/** Texts of the user data view. */
import { filesText, wholeNumber } from "../service/numbers.js";

export const words = {
  title: "My data",
  lead: "Make your own files findable by everyone, under your name. Nothing is uploaded: the files stay where they are on the service's machine, and only the metadata below is sent.",
  signIn: "Sign in",
  needsSignIn: "Sign in to register data and to see what you have registered.",
  add: "Add",
  drop: "From files",
  dropLead:
    "Drop NetCDF or HDF5 files here, or choose them. Their headers are read on this computer; you can correct the result.",
  choose: "Choose files …",
  folder: "Their folder on the service's machine",
  folderHint: "for example /home/ada/run1",
  folderNeeded: (count: number) =>
    `${count === 1 ? "1 file needs its folder" : `${wholeNumber(count)} files need their folder`}: browsers do not say where a file lies. Write it above; it applies to all files dropped here.`,
  reading: (name: string) => `Reading ${name} …`,
  read: (count: number) => (count === 1 ? "1 header was read." : `${count} headers were read.`),
  notRead: (name: string, reason: string) => `${name}: ${reason}`,
  tooSlow: "reading its header took too long",
  fault: "the page could not read it",
  unclear: (file: string, reasons: readonly string[]) =>
    `${file}: its header ${reasons.join("; ")}. Add it by hand.`,
  entries: "Entries",
  entriesHint:
    "One entry per line: name=value pairs separated by spaces (quote values that contain spaces), or a JSON object. Alternatively one JSON array. Each entry needs file, variable, time and time_frequency. Use native facet names.",
  example:
    'file=/home/ada/tas_1985.nc variable=tas time="1985 to 1989" time_frequency=mon model=my-model',
  facets: "Facets of all entries",
  facetsHint:
    "name=value pairs, such as project=my-project. An entry's own value takes precedence.",
  ready: (count: number) =>
    count === 1 ? "1 entry is ready." : `${wholeNumber(count)} entries are ready.`,
  wrong: "Correct these errors first",
  entry: (number: number) => `Entry ${number}`,
  noJson: (reason: string) => `is not JSON: ${reason}`,
  noPair: (text: string) => `has “${text}”, which is not name=value`,
  noObject: "is not an object",
  missing: (name: string) => `needs ${name}`,
  relative: "needs the whole path of its file, from /, or its URI",
  unknownKey: (name: string, near: string) => `has ${name}. Did you mean ${near}?`,
  badValue: (name: string, reason: string) => `${name} ${reason}`,
  send: "Register",
  sending: "Registering …",
  table: "Registered files",
  own: "Registered data",
  path: "Filter by path",
  pathHint: "* and ? are wildcards",
  none: "No entries found.",
  found: filesText,
  columns: {
    file: "File",
    variable: "Variable",
    time: "Time",
    time_frequency: "Frequency",
    project: "Project",
    actions: "Actions",
  },
  remove: "Delete",
  removeOne: (file: string) => `Delete the entry of ${file}`,
  removeAll: (count: number) =>
    count === 1 ? "Delete this entry" : `Delete these ${wholeNumber(count)} entries`,
  sure: "Delete entries",
  sureOf: (count: number, what: string) =>
    `${count === 1 ? "1 entry is" : `${wholeNumber(count)} entries are`} removed from the index: ${what}. The files stay where they are.`,
  everything: "all your entries",
  yes: "Delete",
  no: "Keep",
  more: "Show more",
} as const;
