from klingel.app.cli import main

main()
