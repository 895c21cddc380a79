/// Records what a loop, its transfers and its messages do.
enum LoopTrace {}
