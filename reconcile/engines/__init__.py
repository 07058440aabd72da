"""Programs that play: started, asked and stopped as processes of their own."""
