export {
  type Environment,
  type OperatorCommand,
  type OperatorForm,
  operatorCommands,
  operatorHelp,
  runOperatorCommand,
} from './operator-commands.ts';
